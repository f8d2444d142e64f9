"""A cart in ROS 1: an actionlib server of `move_base`, a pose, and a brake. It runs in Debian's Python.

    /usr/bin/python3 cart.py              prints `ready`

It drives at five metres per second. A goal in the frame `wait` does nothing until it is cancelled.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import actionlib
import rospy
from geometry_msgs.msg import PoseWithCovarianceStamped
from move_base_msgs.msg import MoveBaseAction, MoveBaseFeedback, MoveBaseResult
from std_msgs.msg import Bool, Int32
from std_srvs.srv import SetBool, SetBoolResponse

SPEED, PERIOD = 5.0, 0.02


class Cart:
    """The cart. `deaf`: it goes on after a cancel."""

    def __init__(self, deaf: bool) -> None:
        self.x = self.y = 0.0
        self.halted, self.deaf, self.goals = False, deaf, 0
        self.poses = rospy.Publisher("/amcl_pose", PoseWithCovarianceStamped, queue_size=1)
        self.brakes = rospy.Publisher("/halted", Bool, queue_size=1, latch=True)
        self.counts = rospy.Publisher("/goals", Int32, queue_size=1, latch=True)
        self.brakes.publish(False)
        self.counts.publish(0)
        rospy.Service("/halt", SetBool, self.halt)
        self.server = actionlib.SimpleActionServer("/move_base", MoveBaseAction, self.drive, auto_start=False)
        self.server.start()
        rospy.Timer(rospy.Duration.from_sec(PERIOD), self.tell)

    def halt(self, request: Any) -> Any:
        """Put the brake on, or take it off."""
        self.halted = request.data
        self.brakes.publish(self.halted)
        return SetBoolResponse(True, "The brake is on." if self.halted else "The brake is off.")

    def tell(self, _: Any = None) -> None:
        """Tell where it is."""
        pose = PoseWithCovarianceStamped()
        pose.header.frame_id, pose.header.stamp = "map", rospy.Time.now()
        pose.pose.pose.position.x, pose.pose.pose.position.y = self.x, self.y
        pose.pose.pose.orientation.w = 1.0
        self.poses.publish(pose)

    def drive(self, goal: Any) -> None:
        """Drive to a pose, step by step."""
        target = goal.target_pose.pose.position
        waits = goal.target_pose.header.frame_id == "wait"
        if not waits:
            self.goals += 1
            self.counts.publish(self.goals)
        while not rospy.is_shutdown():
            if self.server.is_preempt_requested() and not self.deaf:
                self.server.set_preempted(MoveBaseResult(), "It stands still.")
                return
            if self.halted and not waits:
                self.server.set_aborted(MoveBaseResult(), "The brake is on.")
                return
            left = math.hypot(target.x - self.x, target.y - self.y)
            if left < 0.01 and not waits:
                self.tell()
                self.server.set_succeeded(MoveBaseResult(), "Arrived.")
                return
            if not waits:
                part = min(1.0, SPEED * PERIOD / left)
                self.x, self.y = self.x + (target.x - self.x) * part, self.y + (target.y - self.y) * part
            feedback = MoveBaseFeedback()
            feedback.base_position.pose.position.x, feedback.base_position.pose.position.y = self.x, self.y
            self.server.publish_feedback(feedback)
            rospy.sleep(PERIOD)


def main() -> None:
    """Run until the process is ended."""
    rospy.init_node("cart", disable_rosout=True)
    Cart("deaf" in sys.argv)
    print("ready", flush=True)  # noqa: T201
    rospy.spin()


if __name__ == "__main__":
    main()
