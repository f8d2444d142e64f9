"""Training the eyes `learned`: pictures, the detector, and its export for ONNX Runtime (see README.md here)."""
