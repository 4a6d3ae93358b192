"""A tenant's grant: connecting, the token keeper, the client for API calls, disconnecting. The only room that sees a token."""
