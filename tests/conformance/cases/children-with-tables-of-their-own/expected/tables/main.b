"id","l","parent_id"
"5","b_320ee2a57412f1f0db63bd20ed0507cf","1"
