mod login;
mod schemes;
mod world;
