"""What people of a tenant say about an object, and whom they ask by an @. Never sends anything to the platform."""
