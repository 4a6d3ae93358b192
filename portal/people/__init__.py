"""The tenant's own people and groups as the platform knows them: who works there, who is away, whose tasks are open."""
