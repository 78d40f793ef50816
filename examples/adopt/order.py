"""An order and its state machine, made with the library `transitions`. Nothing in it knows daynight."""

from __future__ import annotations

from transitions import Machine


class Order:
    """An order that is paid, packed and shipped."""

    def __init__(self) -> None:
        self.paid = 0
        self.price = 30
        self.mails: list[str] = []

    def is_paid(self) -> bool:
        """The whole price is paid."""
        return self.paid >= self.price

    def pay(self, amount: int) -> None:
        """Add `amount` to the money that was paid."""
        self.paid += amount

    def tell(self) -> None:
        """Add a mail for the customer to `mails`."""
        self.mails.append("it is on its way")


def machine(order: Order) -> Machine:
    """Return a state machine that drives an order: new, packed, shipped."""
    return Machine(
        order,
        states=["new", "packed", "shipped"],
        initial="new",
        transitions=[
            {"trigger": "receive", "source": "new", "dest": None, "after": "pay"},
            {"trigger": "receive", "source": "packed", "dest": None, "after": "pay"},
            {"trigger": "pack", "source": "new", "dest": "packed"},
            {"trigger": "ship", "source": "packed", "dest": "shipped", "conditions": "is_paid", "after": "tell"},
        ],
    )
