export var one = 1
