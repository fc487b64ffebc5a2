"tag_x","tag"
"","T"
