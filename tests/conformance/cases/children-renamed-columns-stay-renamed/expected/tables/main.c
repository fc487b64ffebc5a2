"id","parent_id_u0"
"6","1"
