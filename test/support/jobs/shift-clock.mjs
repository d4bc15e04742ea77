// Preloaded into a process (--import) whose clock is wrong by SHIFT_CLOCK_MS.
const shift = Number(process.env['SHIFT_CLOCK_MS']);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shift);
    else super(...args);
  }
  static now() {
    return RealDate.now() + shift;
  }
};
