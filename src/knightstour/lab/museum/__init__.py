"""Historical and curious methods: neural networks, annealing and genetic algorithms."""
