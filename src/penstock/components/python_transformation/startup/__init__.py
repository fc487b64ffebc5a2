"""On the path of modules of scripts; nothing but what Python itself imports first belongs here."""
