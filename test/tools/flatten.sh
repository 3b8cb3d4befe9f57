#!/bin/sh
. "$(dirname "$0")/tap.sh"
