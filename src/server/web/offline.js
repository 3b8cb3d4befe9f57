// The page that says that the server cannot be reached: it tries again once there is a network.

addEventListener("online", () => location.reload());
