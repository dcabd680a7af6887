"""A browser in a few words a person knows, from what it says of itself."""

# In this order: most say they are several.
BROWSERS = {"Edg": "Edge", "OPR": "Opera", "SamsungBrowser": "Samsung", "Firefox": "Firefox", "FxiOS": "Firefox",
            "CriOS": "Chrome", "Chrome": "Chrome", "Safari": "Safari"}  # fmt: skip
SYSTEMS = {"Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "Mac OS": "Mac",
           "CrOS": "Chromebook", "Linux": "Linux"}  # fmt: skip


def describe_browser(user_agent: str) -> str:
    """
    >>> describe_browser("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox en Linux'
    """
    browser = next((name for sign, name in BROWSERS.items() if sign in user_agent), "Un navegador")
    system = next((name for sign, name in SYSTEMS.items() if sign in user_agent), "")
    return f"{browser} en {system}" if system else browser
