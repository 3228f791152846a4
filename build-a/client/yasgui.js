// As much of YASGUI as is used here; its own types need packages that only its makers install.
export {};
