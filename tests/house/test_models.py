from django.apps import apps

from portal.lib.row_locks import RowLockQuerySet
from portal.tenants.managers import TenantManager, TenantModel
from portal.tenants.models import Tenant
from portal.tenants.scope import all_tenants
from portal.users.models import User

MODELS = [model for model in apps.get_models() if issubclass(model, TenantModel)]


def test_s1_every_manager_of_tenant_data_is_fail_closed():
    for model in MODELS:
        assert model._meta.managers, model
        assert all(isinstance(manager, TenantManager) for manager in [*model._meta.managers, model._base_manager]), model


def test_s1_no_join_leads_from_a_tenant_or_a_person_to_tenant_data():
    assert len(MODELS) > 50
    for model in MODELS:
        for field in model._meta.get_fields():
            target = getattr(field, "related_model", None)
            if getattr(field, "many_to_one", False) and target is not None and not issubclass(target, TenantModel):
                assert field.remote_field.hidden, f"{model.__name__}.{field.name} needs related_name='+'"


def test_q6_no_lock_of_a_row_keeps_others_from_adding_rows_that_refer_to_it():
    with all_tenants("no row is read"):
        for model in [*MODELS, Tenant, User]:
            for manager in model._meta.managers:
                locked = manager.select_for_update()
                assert isinstance(locked, RowLockQuerySet), (model, manager)
                assert locked.query.select_for_no_key_update, (model, manager)
