"id","parent_id"
"21","1"
"22","2"
