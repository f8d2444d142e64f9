"""Speech: the word "stop" as numbers, and how well the robot hears, all on sentences that programs have spoken."""
