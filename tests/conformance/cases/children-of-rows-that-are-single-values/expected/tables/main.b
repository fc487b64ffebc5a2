"id","parent"
"5","x"
"6","7"
