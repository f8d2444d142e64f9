"""What the robot says of what it understood: answers, readings offered, programs told again in plain words."""
