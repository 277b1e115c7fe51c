"""Historical and curious methods: neural networks, annealing, ants and genetic algorithms."""
