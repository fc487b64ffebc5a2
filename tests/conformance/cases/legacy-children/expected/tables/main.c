"parent_id","id","6be379826b20cc58475f636e33f4606b"
"1","5",""
