"""Keeps mirrors on their way to the truth: stale marks, the drain, the reconcile. Is handed the mirrors; imports no desk."""
