"id","parent"
"5","12"
