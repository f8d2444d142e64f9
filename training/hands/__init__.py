"""Training the hands `learned`: demonstrations, a policy over pixels, and its export for ONNX Runtime."""
