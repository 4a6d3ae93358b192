from django.apps import apps

from portal.tenants.managers import TenantManager, TenantModel

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
