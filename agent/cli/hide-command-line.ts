/**
 * Imported first, because a token in the arguments is readable by all users in /proc and `ps` until this line has run.
 * libuv overwrites the memory of the arguments with the title; `process.argv` is a copy and keeps them.
 */
process.title = 'gpumark-agent';
