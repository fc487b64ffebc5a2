"parent_id","id","parent_id_u0"
"own","5","1"
