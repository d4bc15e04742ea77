import { recordChanges } from '../../../../test/corpus/page-client.js';
import 'nouislider/dist/nouislider.css';
import noUiSlider from 'nouislider';

const received = recordChanges();
document.getElementById('app').innerHTML =
  '<div data-widget="slider" style="padding:40px"><div id="slider"></div></div>';
const slider = noUiSlider.create(document.getElementById('slider'), { start: 0, step: 5, range: { min: 0, max: 100 } });
slider.on('change', ([value]) => received('slider', Number(value)));
