import flatpickr from 'flatpickr';

// The library would load it from another host.
window.flatpickr = flatpickr;
