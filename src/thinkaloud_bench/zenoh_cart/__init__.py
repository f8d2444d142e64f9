"""A cart that speaks ROS 2 over Zenoh, made of `zenoh-ros2-sdk`, which others wrote: no ROS 2 node takes part.

    with Router() as url, Cart(url) as cart:
        print(url, cart.at)

The SDK's publishers, subscribers and service servers are the cart; its actions are three of its services and a topic,
as ROS 2 defines actions. It can be made to misbehave: `FAULTS` says how. It needs
`pip install zenoh-ros2-sdk==0.1.8` beside the extra `zenoh`.
"""

from __future__ import annotations

from thinkaloud_bench.zenoh_cart.cart import FAULTS as FAULTS
from thinkaloud_bench.zenoh_cart.cart import INTERFACES as INTERFACES
from thinkaloud_bench.zenoh_cart.cart import Cart as Cart
from thinkaloud_bench.zenoh_cart.cart import Router as Router
