"""Real ROS 1, from Debian, to try robots by rosbridge on; rosbridge itself is in no registry.

    apt-get install --no-install-recommends ros-core python3-rospy python3-actionlib python3-move-base-msgs \\
        python3-std-srvs python3-websockets

bridge.py  speaks rosbridge's protocol over rospy; it runs in Debian's Python
cart.py    a cart with an actionlib server; it runs in Debian's Python
running.py a master, the cart and the bridge, while they are needed

No ROS 2 node, and no rosbridge_suite, was at hand: what is known of them is their documents and source texts.
"""
