"""Who has to know: what is told to members in the bell and by email, and when each of them wants to hear of it."""
