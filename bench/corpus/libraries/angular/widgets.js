import '@angular/compiler';
import { Component, provideZonelessChangeDetection } from '@angular/core';
import { FormsModule } from '@angular/forms';
import { MatAutocompleteModule } from '@angular/material/autocomplete';
import { MatButtonToggleModule } from '@angular/material/button-toggle';
import { MatCheckboxModule } from '@angular/material/checkbox';
import { MatChipsModule } from '@angular/material/chips';
import { provideNativeDateAdapter } from '@angular/material/core';
import { MatDatepickerModule } from '@angular/material/datepicker';
import { MatInputModule } from '@angular/material/input';
import { MatRadioModule } from '@angular/material/radio';
import { MatSelectModule } from '@angular/material/select';
import { MatSlideToggleModule } from '@angular/material/slide-toggle';
import { MatSliderModule } from '@angular/material/slider';
import { bootstrapApplication } from '@angular/platform-browser';
import { isoDate, record } from '../../../../test/corpus/page-client.js';
import '../../node_modules/@angular/material/prebuilt-themes/azure-blue.css';
import template from './widgets.html';

const values = { text: '', multiple: [], slider: 0, autocomplete: '', switch: false, check: false, chosen: [] };
class Page {
  m = values;
}
const imports = [
  ...[FormsModule, MatAutocompleteModule, MatButtonToggleModule, MatCheckboxModule, MatChipsModule],
  ...[MatDatepickerModule, MatInputModule, MatRadioModule, MatSelectModule, MatSliderModule, MatSlideToggleModule],
];
Component({ selector: '#app', imports, template })(Page);
bootstrapApplication(Page, { providers: [provideZonelessChangeDetection(), provideNativeDateAdapter()] });
record(() => ({ ...values, date: values.date ? isoDate(values.date) : undefined }));
