/**
 * Imported before everything else, because a token among the arguments is readable for all users in /proc and `ps` until
 * this line has run. libuv writes the title over the whole memory of the arguments; `process.argv` is a copy and keeps them.
 */
process.title = 'gpumark-agent';
