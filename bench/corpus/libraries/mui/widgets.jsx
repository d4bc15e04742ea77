import {
  Autocomplete,
  Checkbox,
  FormControl,
  FormControlLabel,
  InputLabel,
  MenuItem,
  Radio,
  RadioGroup,
  Rating,
  Select,
  Slider,
  Switch,
  TextField,
  ToggleButton,
  ToggleButtonGroup,
} from '@mui/material';
import { DatePicker, LocalizationProvider, TimePicker } from '@mui/x-date-pickers';
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { recordChanges } from '../../../../test/corpus/page-client.js';

const received = recordChanges();
const letters = ['Alpha', 'Beta', 'Gamma'];
const moment = (format) => (value) => (value?.isValid() ? value.format(format) : null);

function Page() {
  const [values, setValues] = useState({ select: '', slider: 0, switch: false, rating: null, check: false, radio: '' });
  const set =
    (name, read = (value) => value) =>
    (event, value) => {
      const given = value === undefined ? (event?.target?.value ?? event) : value;
      setValues((before) => ({ ...before, [name]: given }));
      received(name, read(given));
    };
  return (
    <LocalizationProvider dateAdapter={AdapterDayjs}>
      <div data-widget="text">
        <TextField label="Name" value={values.text ?? ''} onChange={set('text')} />
      </div>
      <div data-widget="select">
        <FormControl sx={{ minWidth: 120 }}>
          <InputLabel id="age">Age</InputLabel>
          <Select
            labelId="age"
            label="Age"
            value={values.select}
            onChange={({ target }) => set('select')(target.value)}
          >
            <MenuItem value={10}>Ten</MenuItem>
            <MenuItem value={20}>Twenty</MenuItem>
          </Select>
        </FormControl>
      </div>
      <div data-widget="autocomplete">
        <Autocomplete
          options={letters}
          onChange={set('autocomplete')}
          renderInput={(p) => <TextField {...p} label="Letter" />}
        />
      </div>
      <div data-widget="multiple">
        <Autocomplete
          multiple
          options={letters}
          onChange={set('multiple')}
          renderInput={(p) => <TextField {...p} label="Letters" />}
        />
      </div>
      <div data-widget="slider" style={{ width: 300 }}>
        <Slider aria-label="Volume" step={5} value={values.slider} onChange={set('slider')} />
      </div>
      <div data-widget="switch">
        <FormControlLabel control={<Switch checked={values.switch} onChange={set('switch')} />} label="On" />
      </div>
      <div data-widget="rating">
        <Rating name="rating" value={values.rating} onChange={set('rating')} />
      </div>
      <div data-widget="check">
        <FormControlLabel control={<Checkbox checked={values.check} onChange={set('check')} />} label="Agree" />
      </div>
      <div data-widget="radio">
        <RadioGroup value={values.radio} onChange={set('radio')}>
          <FormControlLabel value="s" control={<Radio />} label="Small" />
          <FormControlLabel value="l" control={<Radio />} label="Large" />
        </RadioGroup>
      </div>
      <div data-widget="date">
        <DatePicker label="Date" onChange={(value) => received('date', moment('YYYY-MM-DD')(value))} />
      </div>
      <div data-widget="time">
        <TimePicker label="Time" onChange={(value) => received('time', moment('HH:mm')(value))} />
      </div>
      <div data-widget="toggle">
        <ToggleButtonGroup exclusive value={values.toggle} onChange={set('toggle')}>
          <ToggleButton value="l">Left</ToggleButton>
          <ToggleButton value="r">Right</ToggleButton>
        </ToggleButtonGroup>
      </div>
    </LocalizationProvider>
  );
}
createRoot(document.getElementById('app')).render(<Page />);
