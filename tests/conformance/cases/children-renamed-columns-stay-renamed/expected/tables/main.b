"parent_id","parent_id_u0"
"own","1"
