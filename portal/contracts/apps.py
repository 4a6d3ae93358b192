from django.apps import AppConfig


class ContractsConfig(AppConfig):
    name = "portal.contracts"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.accounts.account_facts import CONTRACTS, register_account_facts
        from portal.accounts.timeline import register_timeline
        from portal.audit.platform_actions import register_platform_actions
        from portal.contracts import (
            commented,
            signals,  # noqa: F401 - connects its receivers
            work,
        )
        from portal.contracts.account_facts import contracts_of, describe, list_of, moments_of
        from portal.contracts.filters import ContractFilters
        from portal.contracts.models import Contract, ContractFeed, Terms
        from portal.contracts.search_hits import find_contracts, find_customers_for_contract
        from portal.contracts.selectors import attention_count
        from portal.contracts.services.erasure import register_personal_data
        from portal.contracts.services.store import AREA
        from portal.saved_views.found import register_command
        from portal.saved_views.lists import register_list
        from portal.tenants.models import Role
        from portal.tenants.offboarding import keep_after_purge
        from portal.ui.navigation import register_count

        work.register()
        register_platform_actions("contract.upload", "contract.remove")
        commented.register()
        register_count("contracts", lambda tenant: attention_count(), is_urgent=True)
        register_account_facts(CONTRACTS, contracts_of, area=AREA, list_url=list_of, describe=describe)
        register_timeline(CONTRACTS, moments_of, title="Contracts", area=AREA)
        register_personal_data()
        # People made them; they are no copy of anything on the platform.
        keep_after_purge(Terms, ContractFeed)
        register_list(
            "contracts",
            label="Contracts",
            url_name="contracts:list",
            filters=ContractFilters,
            area="contracts",
            find=find_contracts,
            searched=Contract,
        )
        register_command("new contract for", icon="upload", find=find_customers_for_contract, role=Role.ANALYST)
