"""What a program comes to as things are now: names found, deeds written down, wishes worked out; nothing is done."""
