"c","parent_id","parent_b"
"3","1","2"
