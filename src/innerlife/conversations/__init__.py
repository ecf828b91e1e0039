"""What was said: messages, exchanges and conversations, as evidence and as views."""
