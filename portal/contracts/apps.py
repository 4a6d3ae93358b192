from django.apps import AppConfig


class ContractsConfig(AppConfig):
    name = "portal.contracts"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.accounts.known import CONTRACTS, register_facts
        from portal.accounts.moments import register_moments
        from portal.contracts import signals  # noqa: F401 - connects its receivers
        from portal.contracts.known import contracts_of, list_of, moments_of, say
        from portal.contracts.models import ContractFeed, Terms
        from portal.contracts.selectors import attention_count
        from portal.contracts.services.erasing import register_personal_data
        from portal.contracts.services.storing import AREA
        from portal.look.navigation import register_count
        from portal.tenants.leaving import keep

        register_count("contracts", lambda tenant: attention_count(), is_urgent=True)
        register_facts(CONTRACTS, contracts_of, area=AREA, place=list_of, say=say)
        register_moments(CONTRACTS, moments_of, title="Contracts", area=AREA)
        register_personal_data()
        # People made them; they are no copy of anything on the platform.
        keep(Terms, ContractFeed)
