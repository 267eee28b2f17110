// SPDX-License-Identifier: MIT
// Light, dark, or as the system has it: a button; the choice is kept where the browser allows it. Without this script a
// page follows the system.
'use strict';
(() => {
    const choices = { system: 'screen and (prefers-color-scheme: dark)', light: 'not all', dark: 'screen' };
    const sheet = document.getElementById('dark');

    function recalled() {
        try {
            const kept = localStorage.getItem('nytprof-theme');
            return kept in choices ? kept : 'system';
        } catch {
            return 'system';
        }
    }

    function remember(choice) {
        try {
            localStorage.setItem('nytprof-theme', choice);
        } catch {
            // storage may be forbidden
        }
    }

    function show(choice) {
        sheet.media = choices[choice];
        dispatchEvent(new Event('themechange'));
    }

    function addButton() {
        const button = document.createElement('button');
        const say = choice => {
            button.textContent = `Theme: ${choice}`;
        };
        let now = recalled();
        button.type = 'button';
        button.className = 'theme';
        button.addEventListener('click', () => {
            const names = Object.keys(choices);
            now = names[(names.indexOf(now) + 1) % names.length];
            remember(now);
            show(now);
            say(now);
        });
        say(now);
        document.querySelector('header').prepend(button);
    }

    show(recalled());
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', () => dispatchEvent(new Event('themechange')));
    addEventListener('DOMContentLoaded', addButton);
})();
