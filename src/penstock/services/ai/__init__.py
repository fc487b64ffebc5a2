"""AI: documentation of components, suggestions, questions and explanations, with or without a model.

Owns:       ai_feedback
Uses:       developer (components), storage (tokens, configurations, events), queue (jobs)
"""
