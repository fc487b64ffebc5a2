"id","l"
"1","r_e38637c2a366268bd05db8b2a32b3c65"
