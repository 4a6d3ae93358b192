from django.apps import AppConfig


class LanguageModelConfig(AppConfig):
    name = "portal.language_model"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.language_model.models import ModelCall, ModelSwitch
        from portal.language_model.services import show_calls
        from portal.tenants.offboarding import keep_after_purge
        from portal.tenants.texts import Texts, register_texts

        # The tenant's own decision, and the record of what left for the model: a disconnect deletes neither.
        keep_after_purge(ModelSwitch, ModelCall)
        texts = Texts(kind=ModelCall, columns=("question", "sent", "answered"), changed=show_calls)
        register_texts([("Language model calls", texts)])
