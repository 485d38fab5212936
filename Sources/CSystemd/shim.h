#pragma once
#include <errno.h>
#include <systemd/sd-bus.h>
