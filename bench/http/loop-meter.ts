/**
 * Loaded into a server with `--import`: measures the processor time of each turn of its event loop. Other processes do not
 * change it, unlike latency. Each message of the parent is answered with the longest turn since the one before.
 */
let longestMs = 0;
let before = process.threadCpuUsage();

setInterval(() => {
  const { user, system } = process.threadCpuUsage(before);
  longestMs = Math.max(longestMs, (user + system) / 1000);
  before = process.threadCpuUsage();
}, 1).unref();

process.on('message', () => {
  // After the turn of the message, which may have other work.
  setTimeout(() => {
    process.send?.(longestMs);
    longestMs = 0;
  }, 2);
});
process.channel?.unref();
