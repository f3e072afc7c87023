"""The functions of the public interface; `advisor` exports them."""
