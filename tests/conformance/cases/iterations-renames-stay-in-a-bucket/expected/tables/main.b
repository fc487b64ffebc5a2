"id","tag_u0"
"2","t"
