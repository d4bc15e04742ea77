import '@angular/compiler';
import { ChangeDetectorRef, Component, inject, provideZonelessChangeDetection } from '@angular/core';
import { FormControl, FormGroup, ReactiveFormsModule, Validators } from '@angular/forms';
import { MatButtonModule } from '@angular/material/button';
import { MatInputModule } from '@angular/material/input';
import { MatSnackBar } from '@angular/material/snack-bar';
import { bootstrapApplication } from '@angular/platform-browser';
import { submit } from '../../../../test/corpus/page-client.js';
import '../../node_modules/@angular/material/prebuilt-themes/azure-blue.css';

const { required, email, min, max } = Validators;
class Page {
  form = new FormGroup({
    name: new FormControl('', required),
    email: new FormControl('', [required, email]),
    amount: new FormControl(null, [min(1), max(100)]),
  });
  snackBar = inject(MatSnackBar);
  changes = inject(ChangeDetectorRef);
  async send() {
    if (!this.form.valid) return;
    await submit(this.form.value, {
      showErrors: (errors) => {
        for (const [name, text] of Object.entries(errors)) this.form.get(name).setErrors({ server: text });
        this.changes.markForCheck();
      },
      showSuccess: (message) => {
        this.snackBar.open(message);
        this.form.reset();
      },
    });
  }
}
const template = `<form [formGroup]="form" (ngSubmit)="send()">
  <p><mat-form-field><mat-label>Full name</mat-label><input matInput formControlName="name">
    <mat-error>We need this</mat-error></mat-form-field></p>
  <p><mat-form-field><mat-label>Email address</mat-label><input matInput formControlName="email">
    <mat-error>{{ form.get('email').errors?.server ?? 'Use the form name&#64;place' }}</mat-error></mat-form-field></p>
  <p><mat-form-field><mat-label>Amount</mat-label><input matInput type="number" formControlName="amount">
    <mat-error>From 1 to 100</mat-error></mat-form-field></p>
  <button matButton type="submit">Send</button>
</form>`;
Component({ selector: '#app', imports: [ReactiveFormsModule, MatButtonModule, MatInputModule], template })(Page);
bootstrapApplication(Page, { providers: [provideZonelessChangeDetection()] });
