<!doctype html><title>404</title>
